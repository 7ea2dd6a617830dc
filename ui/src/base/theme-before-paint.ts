// Runs before the first paint, so that a chosen theme does not begin with a flash of the other one. It must be a file of
// its own without imports: a script that blocks rendering can't be a module, and the page may contain no inline script.
try {
  const theme = localStorage.getItem('holdall.theme')
  if (theme !== null) document.documentElement.dataset.theme = theme
} catch {
  // The browser blocks localStorage.
}
