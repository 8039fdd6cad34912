import type { ManagedSource } from '#shared/advisories/admin-sources.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { sourcePath } from './paths.ts'

interface Props {
  source: ManagedSource
  error: FormError | undefined
}

/** Confirms deleting a source, with the number of advisories that are deleted with it. */
export function RemoveSource({ source, error }: Props) {
  const t = useT('manage')
  const problem = useProblems(error)
  const count = source.in_force
  const n = formatNumber(useLanguage(), count)
  return (
    <Note heading="h2" kind="unknown" title={t('source_remove_title', { name: source.name })}>
      <p>{count === 0 ? t('source_remove_none') : t('source_remove_text', { count, n })}</p>
      <Form error={error}>
        <input type="hidden" name="in_force" value={count} />
        <TextField
          label={t('reason')}
          hint={t('reason_hint')}
          name="reason"
          maxLength={500}
          error={problem('reason')}
        />
        <Buttons>
          <Submit look="danger" name="intent" value="remove">
            {count === 0 ? t('source_remove_plain') : t('source_remove_confirm', { count, n })}
          </Submit>
          <ButtonLink to={sourcePath(source.id)}>{t('cancel')}</ButtonLink>
        </Buttons>
      </Form>
    </Note>
  )
}
