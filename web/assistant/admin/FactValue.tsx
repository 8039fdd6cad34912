import type { ManagedFact } from '#shared/assistant/facts.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { kindOf } from './fact-values.ts'

/** Label of a fact by its kind. */
export function useFactName() {
  const t = useT('assistantAdmin')
  return ({ kind, code }: { kind: string; code: string }): string =>
    kindOf(kind) ? t(`${kind}_${code}` as Key<'assistantAdmin'>) : code
}

/** Value of a fact: the number to call, or a number of months, days, hours or years. */
export function FactValue({ fact: { kind, value } }: { fact: Pick<ManagedFact, 'kind' | 'value'> }) {
  const t = useT('assistantAdmin')
  const language = useLanguage()
  if (kind === 'hotline')
    return (
      <>
        <bdi dir="ltr">{String(value.phone ?? '')}</bdi>
        {typeof value.name === 'string' && value.name !== '' && (
          <>
            {' · '}
            <bdi>{value.name}</bdi>
          </>
        )}
      </>
    )
  const amounts = (['days', 'hours', 'years', 'months'] as const).flatMap((unit) => {
    const count = value[unit]
    return typeof count === 'number' ? [t(`amount_${unit}`, { count, n: formatNumber(language, count) })] : []
  })
  return amounts.join(' · ')
}
