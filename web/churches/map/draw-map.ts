import * as L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { createBaseLayer } from './base-layer.ts'
import { createClusterLayer } from './cluster-layer.ts'
import type { MapDeps } from './deps.ts'
import { createLabelLayer } from './label-layer.ts'
import { createResults, type ShownResults } from './results.ts'

/** Beyond this zoom the outlines have no detail; tiles do. */
const CLOSEST_ZOOM = { outlines: 9, tiles: 14 }
/** The inhabited part of the world. */
const WORLD: L.LatLngBoundsLiteral = [
  [-48, -125],
  [64, 155],
]
/** Padding at the edges, and beside the buttons, in pixels. */
const PADDING = 36
const BUTTONS = 72

/** The map of the locator; React passes in what to show. */
export function drawMap(container: HTMLElement, deps: MapDeps) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(container, {
    preferCanvas: true,
    zoomControl: false,
    attributionControl: false,
    minZoom: 0,
    maxZoom: 17,
    zoomSnap: 0.25,
    // Half a world more on either side, to pan across the 180th meridian.
    maxBounds: [
      [-85, -270],
      [85, 270],
    ],
    maxBoundsViscosity: 1,
    zoomAnimation: !isCalm,
    fadeAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
    inertia: !isCalm,
    // Page scrolling has priority: the wheel zooms only after a click on the map.
    scrollWheelZoom: false,
  }).fitBounds(WORLD, { animate: false })
  const isRightToLeft = document.documentElement.dir === 'rtl'
  addZoom(map, deps.t, isRightToLeft)
  L.control.scale({ position: isRightToLeft ? 'topright' : 'topleft', imperial: false }).addTo(map)
  map.on('click focus', () => map.scrollWheelZoom.enable())
  map.on('mouseout blur', () => map.scrollWheelZoom.disable())

  const closest = deps.tiles ? CLOSEST_ZOOM.tiles : CLOSEST_ZOOM.outlines
  const ground = createBaseLayer(map, deps.tiles)
  const results = createResults(map, deps)
  const labels = deps.tiles ? null : createLabelLayer(map, { language: deps.language, spots: results.spots })
  const others = createClusterLayer(map, deps)
  const resized = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  resized.observe(container)

  return {
    show(shown: ShownResults) {
      const bounds = results.show(shown)
      others.leaveOut(new Set(shown.isWhole ? [] : shown.churches.map(({ id }) => id)))
      if (shown.isWhole || !bounds) map.fitBounds(WORLD, { animate: false })
      else
        map.fitBounds(bounds, {
          paddingTopLeft: [isRightToLeft ? BUTTONS : PADDING, PADDING],
          paddingBottomRight: [isRightToLeft ? PADDING : BUTTONS, PADDING + (deps.coveredBelow?.() ?? 0)],
          maxZoom: closest,
          animate: false,
        })
      results.arrange()
    },
    mark: results.mark,
    setPoints: others.setPoints,
    remove() {
      resized.disconnect()
      ground.remove()
      labels?.remove()
      map.remove()
    },
  }
}

function addZoom(map: L.Map, t: MapDeps['t'], isRightToLeft: boolean) {
  const position = isRightToLeft ? 'topleft' : 'topright'
  L.control.zoom({ position, zoomInTitle: t('map_zoom_in'), zoomOutTitle: t('map_zoom_out') }).addTo(map)
}
