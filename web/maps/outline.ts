/** Size of the drawing in its own units; a page scales it. */
export const OUTLINE_WIDTH = 400
export const OUTLINE_HEIGHT = 300

type Point = [x: number, y: number]

interface PlaceName {
  en: string
  ar: string
}

/** The name of a neighbour, centred at a place. */
export interface OutlineName {
  code: string
  at: Point
}

/** One country with its surroundings, as `scripts/make-country-outlines.ts` draws it: SVG paths and places of names. */
export interface CountryOutline {
  land: string
  borders: string
  self: string
  /** The middle of a country too small to recognise, which gets a ring. */
  ring?: Point
  capital?: PlaceName & { at: Point; isAfter: boolean }
  names: OutlineName[]
  cities: (PlaceName & { at: Point; isAbove: boolean })[]
  scale: { km: number; units: number }
}
