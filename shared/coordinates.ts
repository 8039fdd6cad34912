import * as z from 'zod'

/** About one centimetre. Finer differences are noise, and their squares exceed the range of the database's numbers. */
const toPlaces = (degrees: number) => Math.round(degrees * 1e7) / 1e7

export const latitude = z
  .number('Enter a latitude from -90 to 90')
  .min(-90, 'Enter a latitude from -90 to 90')
  .max(90, 'Enter a latitude from -90 to 90')
  .overwrite(toPlaces)
export const longitude = z
  .number('Enter a longitude from -180 to 180')
  .min(-180, 'Enter a longitude from -180 to 180')
  .max(180, 'Enter a longitude from -180 to 180')
  .overwrite(toPlaces)

/** Query-parameter variants. */
export const latitudeInAddress = z.coerce.number().pipe(latitude)
export const longitudeInAddress = z.coerce.number().pipe(longitude)

/** Search radius in kilometres: at most half the circumference of the earth. */
export const radiusInAddress = z.coerce
  .number()
  .positive('Give a radius of more than 0 km.')
  .max(20_100, 'Give a radius of at most 20100 km.')
