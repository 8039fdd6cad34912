export const REGIONS = ['world', 'gulf', 'asia', 'europe', 'africa', 'americas', 'pacific'] as const
export type Region = (typeof REGIONS)[number]

/** Side of the square that stands for a small country, in units of the drawing. */
export const DOT = 6

/** One picture, as `scripts/make-world-map.ts` draws it. By country code. */
export interface MapView {
  width: number
  height: number
  /** SVG paths. */
  paths: Record<string, string>
  /** The middle of the squares of small countries. */
  dots: Record<string, [x: number, y: number]>
  /** The middle of names; none on the world. */
  names: Record<string, [x: number, y: number]>
}
