import { expect, test } from 'vitest'
import { findPlace, type Locating } from './place.ts'

const PERMISSION_DENIED = 1
const TIMEOUT = 3
const failing = (code: number): Locating => ({
  getCurrentPosition: (_, fail) => fail({ code, PERMISSION_DENIED, TIMEOUT }),
})

test('the device gets five seconds, and a location up to five minutes old is accepted', async () => {
  let passedOptions: PositionOptions | undefined
  const geolocation: Locating = {
    getCurrentPosition(found, _, options) {
      passedOptions = options
      found({ coords: { latitude: 35.689487, longitude: 139.691711 } })
    },
  }
  expect(await findPlace(geolocation)).toEqual({ latitude: 35.689, longitude: 139.692 })
  expect(passedOptions).toEqual({ timeout: 5_000, maximumAge: 300_000 })
})

test.each([
  [PERMISSION_DENIED, 'denied'],
  [2, 'unavailable'],
  [TIMEOUT, 'timeout'],
])('failure %i becomes %s', async (code, error) => {
  await expect(findPlace(failing(code))).rejects.toBe(error)
})
