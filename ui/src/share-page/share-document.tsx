import { render } from 'solid-js/web'
import { applyTheme } from '../base/theme.ts'
import { copyLanguage } from '../language/catalogue.ts'
import '../styles/global.css'
import { ShareShell } from './share-shell.tsx'

// A document of its own, without the router and the menus of the interface: a stranger waits for nothing that is not for them.
applyTheme()
document.documentElement.lang = copyLanguage

const root = document.getElementById('app')
if (root) render(() => <ShareShell />, root)
