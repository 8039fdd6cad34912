/** A name as an element: Leaflet takes a string for markup. */
export function textOf(name: string): HTMLElement {
  const element = document.createElement('bdi')
  element.textContent = name
  return element
}

/** Leaflet's markers take the focus and know the pointer only. */
export function onEnter(element: HTMLElement, act: () => void) {
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  })
}
