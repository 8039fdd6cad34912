/** A name as a text element: Leaflet would parse a string as HTML. */
export function textOf(name: string): HTMLElement {
  const element = document.createElement('bdi')
  element.textContent = name
  return element
}

/** Leaflet's markers are focusable but only handle the pointer. */
export function onEnter(element: HTMLElement, act: () => void) {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  })
}
