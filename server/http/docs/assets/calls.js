// Tabs of languages, buttons that copy, and the address and the key in the calls. The key comes from the storage of the
// interface, and goes nowhere but to the screen, when asked for, and to the clipboard.

const THEME = 'holdall.theme'
const KEY = 'holdall.key'
const LANGUAGE = 'holdall.docs-language'
const HIDDEN = 'hold_••••••••'

/** Null also when the browser blocks its storage. */
function stored(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

const theme = stored(THEME)
if (theme !== null) document.documentElement.dataset.theme = theme

let isShown = false

/** Puts the address and the key into the calls, or takes the key out again when this browser has signed out. */
function fill() {
  const key = stored(KEY)
  for (const place of document.querySelectorAll('[data-put]')) {
    place.dataset.original ??= place.textContent
    if (place.dataset.put === 'address') place.textContent = location.origin
    else if (key === null) place.textContent = place.dataset.original
    else {
      const text = isShown ? key : HIDDEN
      place.textContent = place.dataset.put === 'key' ? text : `"${text}"`
    }
  }
  for (const part of document.querySelectorAll('[data-signed-in]')) part.hidden = key === null
  for (const part of document.querySelectorAll('[data-signed-out]')) part.hidden = key !== null
}

for (const button of document.querySelectorAll('[data-show-key]')) {
  button.addEventListener('click', () => {
    isShown = !isShown
    button.setAttribute('aria-pressed', String(isShown))
    fill()
  })
}
addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) fill()
})
// Not in the pages that the browser keeps for the way back, which somebody else may go after a sign-out.
addEventListener('pagehide', () => {
  isShown = false
  for (const button of document.querySelectorAll('[data-show-key]'))
    button.setAttribute('aria-pressed', 'false')
  fill()
})
addEventListener('pageshow', fill)

function withKey(text) {
  return text.replaceAll(HIDDEN, stored(KEY) ?? HIDDEN)
}

// What is selected and copied works, too.
addEventListener('copy', (event) => {
  const text = String(getSelection())
  if (!text.includes(HIDDEN)) return
  event.clipboardData.setData('text/plain', withKey(text))
  event.preventDefault()
})

async function copy(code) {
  try {
    await navigator.clipboard.writeText(withKey(code.textContent))
    return true
  } catch {
    // Without https, browsers have no clipboard for scripts.
    getSelection().selectAllChildren(code)
    return document.execCommand('copy')
  }
}

for (const block of document.querySelectorAll('main pre:not(.answer)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    button.textContent = (await copy(block.querySelector('code'))) ? 'Copied' : 'Select the text, and copy it'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  const frame = document.createElement('div')
  frame.className = 'call'
  block.replaceWith(frame)
  frame.append(button, block)
}

for (const group of document.querySelectorAll('[data-tabs]')) {
  const panels = [...group.querySelectorAll('[data-tab]')]
  const bar = document.createElement('div')
  bar.setAttribute('role', 'tablist')
  bar.setAttribute('aria-label', 'Language')
  const tabs = panels.map((panel) => {
    const name = panel.dataset.tab
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.setAttribute('role', 'tab')
    tab.textContent = name
    tab.id = `tab-${name}`
    panel.id = `panel-${name}`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tab.setAttribute('aria-controls', panel.id)
    panel.querySelector('h3').hidden = true
    tab.addEventListener('click', () => choose(name))
    return tab
  })

  function choose(name) {
    panels.forEach((panel, index) => {
      const isChosen = panel.dataset.tab === name
      panel.classList.toggle('other', !isChosen)
      tabs[index].setAttribute('aria-selected', String(isChosen))
      tabs[index].tabIndex = isChosen ? 0 : -1
    })
    try {
      localStorage.setItem(LANGUAGE, name)
    } catch {
      // The choice is for this page only.
    }
  }

  // The pattern of the ARIA Authoring Practices: one tab in the order of the keyboard, arrows between them.
  bar.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length
    tabs[next].focus()
    tabs[next].click()
  })
  bar.append(...tabs)
  group.prepend(bar)
  const last = stored(LANGUAGE)
  choose(panels.some((panel) => panel.dataset.tab === last) ? last : panels[0].dataset.tab)
}

fill()
