import { Confirmation } from '#web/compose/Confirmation.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { Answer } from './entry.server.ts'
import type { EntryValues } from './entry-values.ts'
import { Readers } from './Readers.tsx'

interface Props {
  answer: Answer
  values: EntryValues
  preview: NonNullable<Answer['preview']>
  /** Fields of the form that are no values of the advisory. */
  hidden: Record<string, string>
}

/** The last question before an advisory is published, and its subscribers are notified. */
export function ConfirmPublish({ answer, values, preview, hidden }: Props) {
  const t = useT('compose')
  const language = useLanguage()
  const { readers, is_announced } = preview
  const count = is_announced ? readers.people : 0
  const amount = { count, n: formatNumber(language, count) }
  // After a change, the number that was confirmed is the one before.
  const before = Number(
    (answer.error?.code === 'people_changed' ? answer.values.people : answer.values.before) ?? count,
  )
  return (
    <Confirmation
      title={count > 0 ? t('confirm_advisory_to', amount) : t('confirm_advisory')}
      subject={<bdi>{values.title}</bdi>}
      recipients={count}
      channels={is_announced && <Readers readers={readers} />}
      about={answer}
      facts={[{ icon: 'shield', text: t('publish_return') }]}
      sendLabel={count > 0 ? t('confirm_publish_to', amount) : t('confirm_publish')}
      busyLabel={t('sending')}
      sendIntent="publish"
      before={before}
      error={answer.error}
    >
      <HiddenFields values={{ ...hidden, ...values }} />
    </Confirmation>
  )
}

export function HiddenFields({ values }: { values: Record<string, string> }) {
  return Object.entries(values).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}
