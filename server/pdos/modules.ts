import type { Selectable } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { matches, pageOf } from '#server/db/lists.ts'
import { recordsOf } from '#server/db/records.ts'
import type { PdosModulesTable } from '#server/db/tables-pdos.ts'
import { handleRecords } from '#server/http/crud.ts'
import type { Router } from '#server/http/router.ts'
import { AppError } from '#shared/errors.ts'
import { modules, type PdosModule } from '#shared/pdos/modules.ts'

const records = recordsOf('pdos_modules', {
  subject: 'pdos_module',
  missing: () => new AppError(404, 'module_not_found', 'Module not found.'),
  constraints: { pdos_modules_code_key: ['code', 'Another module already uses this code'] },
})

/** Administration of the orientation modules. Row-level policies decide who sees and changes them. */
export function registerPdosModules(router: Router) {
  router.handle(modules.list, async ({ db }, { query }) => {
    const { status } = query
    const found = db
      .selectFrom('pdos_modules')
      .where((eb) => (status === undefined ? eb.lit(true) : eb('status', '=', status)))
      .$if(query.search !== '', (q) => q.where(matches(query.search, ['code', 'title_en', 'title_ar'])))
      .selectAll()
    const { rows, ...page } = await pageOf(found, query, (q) => q.orderBy('position').orderBy('code'))
    return { modules: rows.map(serialize), ...page, required_minutes: await requiredMinutes(db) }
  })
  handleRecords(router, modules, records, serialize)
}

const serialize = ({ created_at: _, updated_at, ...row }: Selectable<PdosModulesTable>): PdosModule => ({
  ...row,
  updated_at: updated_at.toISOString(),
})

async function requiredMinutes(db: Db): Promise<number> {
  const { minutes } = await db
    .selectFrom('pdos_modules')
    .select(({ fn }) => fn.sum<string | null>('duration_minutes').as('minutes'))
    .where('status', '=', 'active')
    .where('is_required', '=', true)
    .executeTakeFirstOrThrow()
  return Number(minutes)
}
