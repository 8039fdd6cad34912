import { Confirmation } from '#web/compose/Confirmation.tsx'
import { ConfirmedChannels } from '#web/compose/ConfirmedChannels.tsx'
import { type Counted, clocksThere } from '#web/compose/estimate.ts'
import { formatNumber, namesInLine } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import type { Choices, Values } from './new-roll-call.server.ts'
import { ROLL_CALLS } from './paths.ts'

interface Props {
  choices: Choices
  values: Values
  counted: Counted
  /** The number of recipients shown before. */
  before: number
  error: FormError | undefined
}

/** Confirmation before the roll call starts. The values are in hidden fields, so that it works without scripts. */
export function ConfirmStart({ choices, values, counted, before, error }: Props) {
  const t = useT('rollCalls')
  const tCompose = useT('compose')
  const language = useLanguage()
  const { chosen } = counted.estimate
  const amount = { count: chosen, n: formatNumber(language, chosen) }
  const places = [
    ...choices.countries.filter(({ code }) => values.countries.includes(code)).map(({ name }) => name),
    ...choices.chapters.filter(({ id }) => values.chapters.includes(id)).map(({ chapter_name }) => chapter_name),
  ]
  return (
    <Confirmation
      title={tCompose('confirm_roll_call', amount)}
      subject={
        <>
          <bdi>{values.title}</bdi> · <bdi>{namesInLine(language, places)}</bdi>
        </>
      }
      recipients={chosen}
      clocks={clocksThere(counted, language)}
      channels={<ConfirmedChannels estimate={counted.estimate} />}
      about={counted}
      facts={[
        { icon: 'bell', text: `${tCompose('sent_now')} ${tCompose('quiet_never')}` },
        { icon: 'hands', text: tCompose('answers_on_board') },
        { icon: 'person', text: tCompose('no_return') },
      ]}
      sendLabel={tCompose('confirm_send', amount)}
      busyLabel={t('starting')}
      sendIntent="start"
      before={before}
      action={`${ROLL_CALLS}/new`}
      error={error}
    >
      <Hidden values={values} />
    </Confirmation>
  )
}

/** The form values, for the next step and for going back. */
function Hidden({ values: { countries, chapters, carried, ...texts } }: { values: Values }) {
  return (
    <>
      <input type="hidden" name="kind" value="roll_call" />
      <input type="hidden" name="carried" value={JSON.stringify(carried)} />
      {Object.entries(texts).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {countries.map((code) => (
        <input key={code} type="hidden" name="countries" value={code} />
      ))}
      {chapters.map((id) => (
        <input key={id} type="hidden" name="chapters" value={id} />
      ))}
    </>
  )
}
