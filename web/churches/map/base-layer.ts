import * as L from 'leaflet'
import styles from './LocatorMap.module.css'
import { fetchOutlines } from './outlines.ts'

export interface Tiles {
  url: string
  attribution: string
}

/** Configured tiles; otherwise land and borders, in the colours of the theme. */
export function createBaseLayer(map: L.Map, tiles: Tiles | null) {
  if (tiles) {
    L.tileLayer(tiles.url, { maxZoom: 19 }).addTo(map)
    return { remove() {} }
  }
  map.createPane('ground').style.zIndex = '200'
  const renderer = L.canvas({ pane: 'ground', padding: 0.3 })
  const shapes: L.Path[] = []
  // A canvas cannot read custom properties: take the computed colours of an element.
  const sample = L.DomUtil.create('span', styles.ground, map.getContainer())
  const inTheme = () => {
    const { backgroundColor: land, color: line } = getComputedStyle(sample)
    for (const shape of shapes)
      shape.setStyle(shape instanceof L.Polygon ? { fillColor: land, color: line } : { color: line })
  }
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', inTheme)
  const chosen = new MutationObserver(inTheme)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })

  let isRemoved = false
  fetchOutlines().then(
    ({ land, cut, lines }) => {
      if (isRemoved) return
      const same = { renderer, pane: 'ground', interactive: false, smoothFactor: 0.6, weight: 1 }
      for (const rings of land) shapes.push(L.polygon(rings, { ...same, fillOpacity: 1 }))
      for (const rings of cut) shapes.push(L.polygon(rings, { ...same, stroke: false, fillOpacity: 1 }))
      shapes.push(L.polyline(lines, { ...same, opacity: 0.6 }))
      inTheme()
      for (const shape of shapes) shape.addTo(map)
    },
    // Numbers without a background still show relative positions.
    () => {},
  )
  return {
    remove() {
      isRemoved = true
      chosen.disconnect()
      scheme.removeEventListener('change', inTheme)
    },
  }
}
