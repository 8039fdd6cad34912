import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { type Claims, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AdvisoryEntry } from '#shared/advisories/entry.ts'
import { ROLES } from '#shared/roles.ts'
import { createAdvisory, deleteAdvisory, updateAdvisory } from './mutations.ts'
import { switchAdvisory } from './switches.ts'
import { administration, haiti } from './testing.ts'

const { database, ask, audits, create, publicTitles } = await administration()

describe('access', () => {
  const calls: [string, string, unknown?][] = [
    ['GET', '/admin/travel-advisories'],
    ['GET', '/admin/travel-advisories/export'],
    ['GET', '/admin/travel-advisories/{id}'],
    ['POST', '/travel-advisories', haiti()],
    ['PUT', '/travel-advisories/{id}', { ...haiti(), made_from: '2026-01-01T00:00:00Z' }],
    ['PATCH', '/travel-advisories/{id}', { made_from: '2026-01-01T00:00:00Z', is_urgent: true }],
    ['POST', '/travel-advisories/{id}/duplicate'],
    ['DELETE', '/travel-advisories/{id}', { made_from: '2026-01-01T00:00:00Z' }],
    ['POST', '/admin/travel-advisories/{id}/accept-level', { made_from: '2026-01-01T00:00:00Z', reason: 'x' }],
    ['POST', '/admin/travel-advisories/sources/ph-dfa/accept-levels', { count: 1, reason: 'x' }],
    ['GET', '/admin/travel-advisories/sources/ph-dfa/withheld-news'],
    ['POST', '/admin/travel-advisories/sources/ph-dfa/withheld-news', { ids: [randomUUID()], decision: 'released' }],
    ['POST', '/admin/travel-advisories/preview', haiti()],
    ['GET', '/admin/travel-advisories/sources'],
    ['GET', '/admin/travel-advisories/sources/ph-dfa'],
    ['PATCH', '/admin/travel-advisories/sources/ph-dfa', {}],
    ['GET', '/admin/travel-advisories/unresolved'],
    ['POST', '/admin/travel-advisories/unresolved', { name: 'Hayti', country: 'HT' }],
    ['GET', '/admin/travel-advisories/aliases'],
    ['DELETE', '/admin/travel-advisories/aliases/Hayti'],
  ]
  test.each(calls)('%s %s is limited to administrators', async (method, path, body) => {
    const { id } = await create()
    const before = await audits()
    const address = path.replace('{id}', id)
    expect((await ask(method, address, body, null)).status).toBe(401)
    for (const role of ROLES.filter((name) => name !== 'admin'))
      expect([role, (await ask(method, address, body, `${role} ${randomUUID()}`)).status]).toEqual([role, 403])
    expect(await audits()).toEqual(before)
    expect(await publicTitles()).toEqual(['Haiti: Alert level 3'])
  })

  test("without the endpoint's access check, the database still rejects writes from anyone else", async () => {
    const made = await create()
    const hidden = await create({ title: 'A draft', is_draft: true })
    const by: SignedIn = { id: randomUUID(), name: 'Mallory', role: 'mfa_coordinator' }
    const claims: Claims = { as: 'user', userId: by.id, role: by.role }
    const writing = { by, now: new Date(), countries: createCountries() }
    const entry = AdvisoryEntry.parse(haiti({ title: 'Haiti: all is well' }))
    const is = { made_from: made.updated_at, is_draft: false }
    const tries: ((db: Db) => Promise<unknown>)[] = [
      (db) => createAdvisory(db, entry, { is_draft: false }, writing),
      (db) => updateAdvisory(db, made.id, entry, is, writing),
      (db) => switchAdvisory(db, made.id, { made_from: made.updated_at, is_active: false, reason: 'x' }, writing),
      (db) => deleteAdvisory(db, made.id, { made_from: made.updated_at, reason: '' }, writing),
      (db) => updateAdvisory(db, hidden.id, entry, { ...is, made_from: hidden.updated_at }, writing),
    ]
    for (const attempt of tries) await expect(withClaims(database, claims, attempt)).rejects.toThrow()
    expect(await publicTitles()).toEqual(['Haiti: Alert level 3'])
  })
})
