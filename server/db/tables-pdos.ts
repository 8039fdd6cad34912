import type { Generated } from 'kysely'
import type { PdosModule } from '#shared/pdos/modules.ts'
import type { Day, DefaultInstant } from './column-types.ts'

export interface PdosModulesTable {
  id: Generated<string>
  code: string
  title_en: string
  title_ar: string
  description_en: Generated<string>
  description_ar: Generated<string>
  duration_minutes: number
  position: Generated<number>
  material_links: Generated<string[]>
  is_required: Generated<boolean>
  status: Generated<PdosModule['status']>
  effective_from: Day
  version: Generated<number>
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

export interface PdosTables {
  pdos_modules: PdosModulesTable
}
