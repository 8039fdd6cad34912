import type { AdminAdvisory } from '#shared/advisories/admin.ts'
import { useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'

/** Publication state, and why an advisory in force is not public. */
export function PublicationStateTag({ standing, removal }: Pick<AdminAdvisory, 'standing' | 'removal'>) {
  const t = useT('manage')
  const isSolid = standing === 'in_force' && removal === null
  const text =
    removal && standing !== 'draft' ? t('removed', { reason: t(`removal_${removal}`) }) : t(`publication_${standing}`)
  return isSolid ? text : <UnknownTag>{text}</UnknownTag>
}
