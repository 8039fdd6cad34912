export interface Spot {
  x: number
  y: number
}

const STEPS_ROUND = 12

/**
 * Moves each spot that would overlap an earlier one to the nearest free position around it, so that every number is
 * legible and clickable. Order matters: the first stay in place.
 */
export function spread(spots: readonly Spot[], apart: number): Spot[] {
  const placed: Spot[] = []
  for (const spot of spots) placed.push(freePlace(spot, placed, apart))
  return placed
}

function freePlace(spot: Spot, placed: readonly Spot[], apart: number): Spot {
  const isFree = ({ x, y }: Spot) =>
    placed.every((other) => Math.max(Math.abs(other.x - x), Math.abs(other.y - y)) >= apart)
  if (isFree(spot)) return spot
  // Concentric circles around the position, each a quarter of a pin wider.
  for (let ring = 1; ring <= 4 * placed.length + 4; ring++)
    for (let step = 0; step < STEPS_ROUND; step++) {
      const angle = (2 * Math.PI * step) / STEPS_ROUND
      const radius = (ring * apart) / 4
      const place = { x: spot.x + radius * Math.cos(angle), y: spot.y + radius * Math.sin(angle) }
      if (isFree(place)) return place
    }
  return spot
}
