import * as L from 'leaflet'
import type { CityLabel } from '#shared/churches/endpoints.ts'
import { call } from '#web/lib/call.ts'
import { classes } from '#web/ui/classes.ts'
import { seenFrom } from './clusters.ts'
import type { MapDeps } from './deps.ts'
import { textOf } from './elements.ts'
import styles from './LocatorMap.module.css'

const MAX_LABELS = 14
/** Half of a pin, which no name may cross. */
const PIN = 18
/** Room of a name in pixels: names that would touch are left out, the smaller city first. */
const CHARACTER = 7.5
const LINE = 18

interface Props extends Pick<MapDeps, 'language'> {
  /** What else is on the map, with its numbers. */
  spots: () => readonly L.LatLng[]
}

/** Names of the larger cities: the outlines alone say little about where one is. Tiles have names of their own. */
export function createLabelLayer(map: L.Map, { language, spots }: Props) {
  const layer = L.layerGroup().addTo(map)
  map.createPane('labels').style.zIndex = '350'
  let left = new AbortController()

  async function update() {
    left.abort()
    left = new AbortController()
    const { signal } = left
    try {
      const { labels } = await call('GET /public/cities/labels', { query: { ...boxOf(map), language } }, { signal })
      if (!signal.aborted) draw(labels)
    } catch {
      // The map is useful without names.
    }
  }

  function draw(cities: readonly CityLabel[]) {
    layer.clearLayers()
    const center = map.getCenter().lng
    const taken = spots().map((spot) => {
      const { x, y } = map.latLngToContainerPoint(spot)
      return L.bounds([x - PIN, y - PIN], [x + PIN, y + PIN])
    })
    const max = taken.length + MAX_LABELS
    for (const { name, latitude, longitude } of cities) {
      if (taken.length === max) break
      const at = L.latLng(latitude, seenFrom(center, longitude))
      const spot = map.latLngToContainerPoint(at)
      const room = L.bounds(spot.subtract([4, LINE / 2]), spot.add([12 + [...name].length * CHARACTER, LINE / 2]))
      if (taken.some((other) => other.overlaps(room))) continue
      taken.push(room)
      layer.addLayer(labelAt(at, name))
    }
  }

  map.on('moveend', update)
  return {
    remove() {
      map.off('moveend', update)
      left.abort()
    },
  }
}

function labelAt(at: L.LatLng, name: string): L.Marker {
  // Always to the right of its dot, as the room for it is counted.
  const label = document.createElement('span')
  label.dir = 'ltr'
  label.append(textOf(name))
  const icon = L.divIcon({ html: label, className: classes(styles.city), iconSize: [6, 6] })
  return L.marker(at, { icon, pane: 'labels', interactive: false, keyboard: false })
}

/** What is visible, to a hundredth of a degree: the same question for nearly the same view. */
function boxOf(map: L.Map) {
  const bounds = map.getBounds()
  const round = (degrees: number) => Math.round(degrees * 100) / 100
  const limited = (latitude: number) => Math.max(-90, Math.min(90, round(latitude)))
  const isWorld = bounds.getEast() - bounds.getWest() >= 360
  const wrapped = (longitude: number) => round(longitude - 360 * Math.round(longitude / 360))
  return {
    south: limited(bounds.getSouth()),
    north: limited(bounds.getNorth()),
    west: isWorld ? -180 : wrapped(bounds.getWest()),
    east: isWorld ? 180 : wrapped(bounds.getEast()),
  }
}
