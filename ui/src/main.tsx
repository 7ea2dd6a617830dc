import { render } from 'solid-js/web'
import { App } from './app.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/archives.css'

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no place for the app')
render(() => <App />, root)
