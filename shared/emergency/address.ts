/** Answered by most mobile networks in most countries: offered while the country is not known. */
export const GENERAL_NUMBER = '112'

/** The emergency page of a country, or the one that asks for the country. */
export const emergencyPath = (country: string | null): string => (country ? `/emergency/${country}` : '/emergency')

/** The same as a full address, for the foot of messages. */
export const emergencyUrl = (country: string | null, publicUrl: string): string =>
  `${publicUrl}${emergencyPath(country)}`
