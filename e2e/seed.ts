import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { copyPreparedData, type Portal, startPortal } from './portal.ts'

/**
 * A portal whose database is seeded by SQL before it starts, for data that would take too long to create in the
 * browser.
 */
export async function startSeeded(seed: string, environment: Record<string, string> = {}): Promise<Portal> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-seeded-'))
  copyPreparedData(folder)
  const database = await PGlite.create({ dataDir: path.join(folder, 'pglite'), extensions: { pg_trgm } })
  await database.exec(seed)
  await database.close()
  const portal = await startPortal({ DATA_DIR: folder, ...environment })
  return {
    ...portal,
    async stop(signal) {
      await portal.stop(signal)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * 3,000 accounts, of which 310 are pending: 120 in Japan, 190 in Spain, created a minute apart. Ten in Japan come from
 * the member hub, one has an address that bounces.
 */
export const MANY_ACCOUNTS = `
  insert into user_profiles (email, email_verified, display_name, profile_status, country_code, created_at, mcgi_hub_id, registration_method)
    select 'account-' || n || '@example.org', n % 4 > 0,
      (array['Hanna', 'Crisanto', 'Yolanda', 'Giulia', 'Abdul', 'Nestor', 'Leonor', 'Paolo'])[1 + n % 8] || ' '
        || (array['Sakamoto', 'Bermudez', 'Pascua', 'Santos', 'Macarimbang', 'Villamor', 'Reyes'])[1 + n % 7] || ' ' || n,
      case when n <= 310 then 'pending' else 'active' end,
      case when n <= 120 or (n > 310 and n % 3 = 0) then 'JP' else 'ES' end,
      now() - (3001 - n) * interval '10 minutes',
      case when n between 10 and 19 then 'hub-' || n end,
      case when n between 10 and 19 then 'mcgi_hub' when n % 5 = 0 then 'google_oauth' else 'email_signup' end
    from generate_series(1, 3000) n;
  insert into suppressions (channel, address, reason) values ('email', 'account-3@example.org', 'bounced');
  update user_profiles set scope_everywhere = false, scope_reason = null, scope_countries = '{JP}'
    where email = 'mfa@sample.invalid';
`
