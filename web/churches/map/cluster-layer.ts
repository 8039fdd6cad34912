import * as L from 'leaflet'
import { classes } from '#web/ui/classes.ts'
import { type Clusters, createClusters, type MapPoint, seenFrom } from './clusters.ts'
import type { MapDeps } from './deps.ts'
import { textOf } from './elements.ts'
import styles from './LocatorMap.module.css'

const CLOSEST_ZOOM = 13

/** All churches beyond the results, clustered. */
export function createClusterLayer(map: L.Map, { t, onOpen }: Pick<MapDeps, 't' | 'onOpen'>) {
  const layer = L.layerGroup().addTo(map)
  let points: readonly MapPoint[] = []
  let without: ReadonlySet<string> = new Set()
  let clusters: Clusters | null = null

  function draw() {
    layer.clearLayers()
    if (!clusters) return
    const bounds = map.getBounds().pad(0.1)
    const center = map.getCenter().lng
    const [west, east] = [Math.max(bounds.getWest(), center - 180), Math.min(bounds.getEast(), center + 180)]
    const box: [number, number, number, number] = [west, bounds.getSouth(), east, bounds.getNorth()]
    for (const { geometry, properties } of clusters.getClusters(box, Math.floor(map.getZoom()))) {
      const [lng, lat] = geometry.coordinates as [number, number]
      const at = L.latLng(lat, seenFrom(center, lng))
      if ('cluster' in properties) layer.addLayer(gathered(at, properties.cluster_id, properties.point_count))
      else layer.addLayer(single(at, properties.id, properties.name, properties.isArea))
    }
  }

  function gathered(at: L.LatLng, id: number, count: number) {
    const size = 24 + 6 * String(count).length
    const number = count.toLocaleString('en')
    const label = document.createElement('span')
    label.textContent = number
    const icon = L.divIcon({ html: label, className: classes(styles.cluster), iconSize: [size, size] })
    // Pointer only: the churches are in the list, and dozens of tab stops would obstruct the keyboard.
    const marker = L.marker(at, { icon, keyboard: false, title: t('map_cluster', { count, number }) })
    marker.on('click', () => {
      if (clusters) map.setView(at, Math.min(CLOSEST_ZOOM, clusters.getClusterExpansionZoom(id)))
    })
    return marker
  }

  const single = (at: L.LatLng, id: string, name: string, isArea: boolean) =>
    L.circleMarker(at, {
      radius: 6,
      weight: 2,
      color: '#ffffff',
      fillColor: isArea ? '#657186' : '#1e40af',
      fillOpacity: 1,
    })
      .bindTooltip(() => textOf(name))
      .on('click', () => onOpen(id))

  function gather() {
    clusters = points.length > 0 ? createClusters(points, without) : null
    draw()
  }

  map.on('moveend', draw)
  return {
    setPoints(all: readonly MapPoint[]) {
      points = all
      gather()
    },
    leaveOut(ids: ReadonlySet<string>) {
      without = ids
      if (points.length > 0) gather()
    },
  }
}
