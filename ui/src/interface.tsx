import { render } from 'solid-js/web'
import { App } from './app.tsx'
import { applyTheme } from './base/theme.ts'
import { copyLanguage } from './language/catalogue.ts'
import './styles/global.css'

applyTheme()
document.documentElement.lang = copyLanguage

const root = document.getElementById('app')
if (root) render(() => <App />, root)
