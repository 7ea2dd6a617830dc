import { render } from 'solid-js/web'
import { App } from './app.tsx'
import { applyTheme } from './base/theme.ts'
import './styles/global.css'

applyTheme()

const root = document.getElementById('app')
if (root) render(() => <App />, root)
