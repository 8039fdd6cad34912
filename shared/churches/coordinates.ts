import * as z from 'zod'

/** A centimetre. Finer differences are noise, and squared they leave the range of the database's numbers. */
const toPlaces = (degrees: number) => Math.round(degrees * 1e7) / 1e7

export const latitude = z
  .number('Give a latitude from -90 to 90.')
  .min(-90, 'Give a latitude from -90 to 90.')
  .max(90, 'Give a latitude from -90 to 90.')
  .overwrite(toPlaces)
export const longitude = z
  .number('Give a longitude from -180 to 180.')
  .min(-180, 'Give a longitude from -180 to 180.')
  .max(180, 'Give a longitude from -180 to 180.')
  .overwrite(toPlaces)

/** The same as they stand in an address. */
export const latitudeInAddress = z.coerce.number().pipe(latitude)
export const longitudeInAddress = z.coerce.number().pipe(longitude)

/** How far around such a point, in kilometres: half the way round the earth at the most. */
export const radiusInAddress = z.coerce
  .number()
  .positive('Give a radius of more than 0 km.')
  .max(20_100, 'Give a radius of at most 20100 km.')
