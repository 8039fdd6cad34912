import Supercluster from 'supercluster'

/** Format of the API: id, latitude, longitude, 1 where only the area is known, name. */
export type MapPoint = readonly [id: string, lat: number, lng: number, isArea: 0 | 1, name: string]

interface Church {
  id: string
  name: string
  isArea: boolean
}

export type Clusters = Supercluster<Church>

/** All points except those numbered on the map. */
export function createClusters(points: readonly MapPoint[], without: ReadonlySet<string>): Clusters {
  const clusters: Clusters = new Supercluster<Church>({ radius: 56, maxZoom: 12 })
  return clusters.load(
    points
      .filter(([id]) => !without.has(id))
      .map(([id, lat, lng, isArea, name]) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lng, lat] },
        properties: { id, name, isArea: isArea === 1 },
      })),
  )
}

/** Shifts a longitude next to the reference: the map may have been panned across the 180th meridian. */
export const seenFrom = (reference: number, lng: number) => lng + 360 * Math.round((reference - lng) / 360)
