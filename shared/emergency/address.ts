/** Works on most mobile networks in most countries: shown while the country is unknown. */
export const GENERAL_NUMBER = '112'

/** The emergency page of a country, or the page that asks for one. */
export const emergencyPath = (country: string | null): string => (country ? `/emergency/${country}` : '/emergency')

/** The same as an absolute URL, for message footers. */
export const emergencyUrl = (country: string | null, publicUrl: string): string =>
  `${publicUrl}${emergencyPath(country)}`
