/** A name as an element: Leaflet takes a string for markup. */
export function textOf(name: string): HTMLElement {
  const element = document.createElement('bdi')
  element.textContent = name
  return element
}
