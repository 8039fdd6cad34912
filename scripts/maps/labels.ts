// Places for names on a map: inside the land where possible, and never on one another.
import type { Point } from './territories.ts'

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

const STEP = 6

export const overlaps = (a: Box, b: Box) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1

/** The box of a text centred at a point. */
export const boxAt = ([x, y]: Point, width: number, height: number): Box => ({
  x0: x - width / 2,
  x1: x + width / 2,
  y0: y - height / 2,
  y1: y + height / 2,
})

/** Where a name of this size fits best: deep inside the land, within the frame, away from what is taken. */
export function placeFor(
  rings: readonly Point[][],
  { width, height, frame, taken }: { width: number; height: number; frame: Box; taken: readonly Box[] },
): Point | undefined {
  let [best, bestScore]: [Point | undefined, number] = [undefined, 0]
  for (let x = frame.x0 + width / 2; x <= frame.x1 - width / 2; x += STEP) {
    for (let y = frame.y0 + height / 2; y <= frame.y1 - height / 2; y += STEP) {
      const box = boxAt([x, y], width, height)
      if (!isInside([x, y], rings) || taken.some((other) => overlaps(box, other))) continue
      const score = roomAt([x, y], rings, width / height)
      if (score > bestScore) [best, bestScore] = [[x, y], score]
    }
  }
  return best
}

/** Whether a point lies in rings, by the even-odd rule. */
export function isInside([x, y]: Point, rings: readonly Point[][]): boolean {
  let inside = false
  for (const ring of rings)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [[xi, yi], [xj, yj]] = [ring[i]!, ring[j]!]
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
    }
  return inside
}

/** Distance to the nearest corner of the outline, with the width of a name counted as less. */
function roomAt([x, y]: Point, rings: readonly Point[][], aspect: number): number {
  return Math.min(...rings.flatMap((ring) => ring.map(([px, py]) => Math.hypot((px - x) / Math.sqrt(aspect), py - y))))
}
