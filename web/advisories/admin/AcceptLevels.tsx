import { Form } from 'react-router'
import type { ManagedSource } from '#shared/advisories/admin-sources.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Note } from '#web/ui/Note.tsx'
import { MANAGE } from './paths.ts'

/** Accepts all levels that a source lowered and nobody has accepted yet. */
export function AcceptLevels({ source }: { source: ManagedSource }) {
  const t = useT('manage')
  const language = useLanguage()
  const count = source.pending_count
  if (count === 0) return null
  return (
    <Note heading="h2" kind="unknown" title={t('accept_all', { count, n: formatNumber(language, count) })}>
      <p>{t('accept_all_text')}</p>
      <Form method="post">
        <input type="hidden" name="count" value={count} />
        <Buttons>
          <ButtonLink to={`${MANAGE}?source=${source.id}&status=pending_level`}>{t('accept_all_list')}</ButtonLink>
          <Button type="submit" look="danger" name="intent" value="accept_levels">
            {t('accept_all_confirm')}
          </Button>
        </Buttons>
      </Form>
    </Note>
  )
}
