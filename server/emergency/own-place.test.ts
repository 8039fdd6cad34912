import { expect, test } from 'vitest'
import { asking, scene, scopedSession } from '#server/roll-calls/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const app = await testApp(database, { readSession: scopedSession })
const ask = asking(app)
const { ana, ben, carl, as } = await scene(database)
const placeOf = async (who: string | null) => (await ask(who, 'GET', '/account/place')).body

test('a user’s place is the country of their profile, if they are signed in', async () => {
  const nowhere = await createTestUser(database, 'traveler', { country_code: null })
  expect(await placeOf(ana.as)).toMatchObject({ country_code: 'JP', source: 'profile' })
  expect(await placeOf(nowhere.as)).toMatchObject({ country_code: null, source: null })
  expect((await ask(null, 'GET', '/account/place')).status).toBe(401)
})

async function startRollCall(countries: string[]): Promise<string> {
  const { body: count } = await ask(as.admin, 'POST', '/roll-calls/count', { countries })
  const { body } = await ask(as.admin, 'POST', '/roll-calls', { title: 'Earthquake', countries, people: count.people })
  return body.id
}

test('an open roll call takes precedence over the profile, for its recipients only, until it is closed', async () => {
  const id = await startRollCall(['JP'])
  // Ben lives in the Philippines and is travelling to Japan.
  expect(await placeOf(ben.as)).toMatchObject({ country_code: 'JP', source: 'roll_call' })
  expect(await placeOf(carl.as)).toMatchObject({ country_code: 'PE', source: 'profile' })
  expect((await ask(ben.as, 'GET', `/account/roll-calls/${id}`)).body).toMatchObject({ country_code: 'JP' })
  await ask(as.admin, 'POST', `/roll-calls/${id}/close`)
  expect(await placeOf(ben.as)).toMatchObject({ country_code: 'PH', source: 'profile' })
})

test('a roll call of several countries uses the one that applies to each recipient', async () => {
  await startRollCall(['JP', 'PE'])
  expect(await placeOf(carl.as)).toMatchObject({ country_code: 'PE', source: 'roll_call' })
  expect(await placeOf(ana.as)).toMatchObject({ country_code: 'JP', source: 'roll_call' })
})
