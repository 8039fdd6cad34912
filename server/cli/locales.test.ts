import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { commandLine } from '#server/testing/command-line.ts'

const { folder, portal } = await commandLine()
const extract = fileURLToPath(new URL('../../fixtures/places/lds-meetinghouses-extract.csv', import.meta.url))

test('a file of locales is planned, then written on request, and a repeat changes nothing', async () => {
  const planned = await portal('locales:import', extract)
  expect(planned).toMatchObject({ code: 0, err: '' })
  const [headings, counts, ...errors] = planned.out.split('\n')
  expect(headings!.split(/ +/)).toEqual(
    'rows create update unchanged skip error undecided warnings published services servants state'.split(' '),
  )
  expect(counts!.trim().split(/ +/)).toEqual('56 54 0 0 0 2 0 3 0 0 0 planned'.split(' '))
  expect(errors[0]).toMatch(/^row \d+: Tortola - Rental: Unknown country: “BRITISH VIRGIN ISL”\.$/)
  const committed = JSON.parse((await portal('locales:import', extract, '--publish', '--commit', '--json')).out)
  expect(committed.import).toMatchObject({ status: 'committed', counts: { create: 54, published: 54 } })
  expect((await portal('locales:import', extract)).out.split('\n')[1]!.trim().split(/ +/).slice(0, 4)).toEqual([
    '56',
    '0',
    '0',
    '54',
  ])
})

test('a missing or unreadable file is reported', async () => {
  expect(await portal('locales:import', '/nowhere.csv')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Cannot open the file'),
  })
  const file = path.join(folder, 'bad.csv')
  await writeFile(file, 'name,name\nA,B\n')
  expect(await portal('locales:import', file)).toMatchObject({ code: 1, err: expect.stringContaining('same heading') })
})
