import { Link } from 'react-router'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import { ChannelTable } from '#web/compose/ChannelTable.tsx'
import { Columns, reviewOnCtrlEnter, Section, SendBar } from '#web/compose/Composer.tsx'
import type { Counted } from '#web/compose/estimate.ts'
import { KindSwitch } from '#web/compose/KindSwitch.tsx'
import { MessagePreview } from '#web/compose/MessagePreview.tsx'
import { mainText } from '#web/compose/message.ts'
import { PickField } from '#web/compose/PickField.tsx'
import { RecipientCount } from '#web/compose/RecipientCount.tsx'
import { useEstimate } from '#web/compose/useEstimate.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { TextAreaField, TextField } from '#web/ui/Field.tsx'
import { Form, useProblems } from '#web/ui/Form.tsx'
import styles from './NewRollCall.module.css'
import type { Choices, Values } from './new-roll-call.server.ts'
import { ROLL_CALLS } from './paths.ts'

interface Props {
  choices: Choices
  values: Values
  counted: Counted | null
  error: FormError | undefined
  /** The values are those of an answer, and not sent yet. */
  isUnsaved: boolean
  /** A search was the last action. */
  isSearching: boolean
}

/** The composer of a roll call: what happened, who is concerned and how they are asked, beside its preview. */
export function NewRollCallForm({ choices, values, counted, error, isUnsaved, isSearching }: Props) {
  const estimate = useEstimate(`${ROLL_CALLS}/new`, counted)
  return (
    <Form
      id="composer"
      action={`${ROLL_CALLS}/new`}
      error={error}
      isUnsaved={isUnsaved}
      onInput={estimate.follow}
      onSubmitCapture={estimate.stop}
      onKeyDown={reviewOnCtrlEnter}
    >
      <KindSwitch kind="roll_call" carried={values.carried} defaultIntent="continue" />
      <input type="hidden" name="advisory" value={values.advisory} />
      <input type="hidden" name="once" value={values.once} />
      <Columns preview={<MessagePreview counted={estimate.counted} as={values.as} isBehind={estimate.isBehind} />}>
        <What choices={choices} values={values} error={error} />
        <Who choices={choices} values={values} error={error} estimate={estimate} isSearching={isSearching} />
        <How values={values} error={error} counted={estimate.counted} />
      </Columns>
      <Send counted={estimate.counted} />
    </Form>
  )
}

type SectionProps = Pick<Props, 'choices' | 'values' | 'error'>

function What({ choices: { advisory }, values, error }: SectionProps) {
  const t = useT('rollCalls')
  const tCompose = useT('compose')
  const problem = useProblems(error)
  return (
    <Section id="content" title={tCompose('what')}>
      {advisory && (
        <p className={styles.text}>
          {t('from_advisory')}{' '}
          <Link to={`/travel-advisories/${advisory.id}`} target="_blank">
            <bdi>{advisory.title}</bdi>
          </Link>
        </p>
      )}
      <TextField
        label={t('field_title')}
        hint={t('field_title_hint')}
        error={problem('title')}
        name="title"
        required
        maxLength={200}
        defaultValue={values.title}
        dir="auto"
      />
      <TextAreaField
        label={t('field_message')}
        hint={t('field_message_hint')}
        error={problem('message')}
        name="message"
        rows={4}
        maxLength={1000}
        defaultValue={values.message}
      />
      {hasOtherTexts(values) && <p className={styles.text}>{tCompose('carried_texts')}</p>}
    </Section>
  )
}

/** Another kind of message was written in more than one language. */
function hasOtherTexts({ carried }: Values): boolean {
  const { language } = mainText(carried)
  return Object.entries(carried.texts).some(([of, { title, message }]) => of !== language && (title || message))
}

interface WhoProps extends SectionProps {
  estimate: ReturnType<typeof useEstimate>
  isSearching: boolean
}

function Who({ choices, values, error, estimate, isSearching }: WhoProps) {
  const t = useT('rollCalls')
  const tCompose = useT('compose')
  const language = useLanguage()
  const problem = useProblems(error)
  const options = [
    ...choices.countries.map(({ code, name }) => ({ name: 'countries', value: code, label: name })),
    ...choices.chapters.map(({ id, chapter_name }) => ({
      name: 'chapters',
      value: id,
      label: tCompose('pick_chapter', { name: chapter_name }),
    })),
  ]
  const isChosen = ({ name, value }: { name: string; value: string }) =>
    (name === 'countries' ? values.countries : values.chapters).includes(value)
  const unused = values.carried.roles.length + values.carried.people.length
  const isUnknown = isSearching && values.add !== ''
  return (
    <Section id="audience" title={tCompose('who')} hint={tCompose('match_any')}>
      <PickField
        label={tCompose('pick_label')}
        hint={t('field_countries_hint')}
        placeholder={t('pick_placeholder')}
        options={options}
        chosen={options.filter(isChosen)}
        error={problem('countries') ?? problem('chapter') ?? (isUnknown && t('pick_unknown', { search: values.add }))}
        search={values.add}
        isFocused={isSearching}
        onChange={estimate.follow}
      />
      {unused > 0 && (
        <p className={styles.text}>
          {tCompose('carried_unused', { count: unused, n: formatNumber(language, unused) })}
        </p>
      )}
      <RecipientCount counted={estimate.counted} isBehind={estimate.isBehind} error={estimate.error} />
    </Section>
  )
}

function How({ values, error, counted }: Pick<Props, 'values' | 'error' | 'counted'>) {
  const t = useT('rollCalls')
  const tCompose = useT('compose')
  const problem = useProblems(error)
  const unsent = counted?.estimate.channels.filter((row) => !row.is_connected).map(({ channel }) => channel) ?? []
  return (
    <Section id="delivery" title={tCompose('how')} hint={t('channels_hint')}>
      <ChannelTable channels={CHANNELS} estimate={counted?.estimate ?? null} unsent={unsent} />
      <p className={styles.text}>
        {tCompose('sent_now')} {tCompose('quiet_never')}
      </p>
      <TextField
        className={styles.number}
        label={t('field_escalate')}
        hint={t('field_escalate_hint')}
        error={problem('escalate_after_minutes')}
        name="escalate_after_minutes"
        inputMode="numeric"
        required
        defaultValue={values.escalate_after_minutes}
      />
    </Section>
  )
}

function Send({ counted }: Pick<Props, 'counted'>) {
  const t = useT('compose')
  const language = useLanguage()
  const n = (count: number) => formatNumber(language, count)
  const { chosen = null, people: reached = 0 } = counted?.estimate ?? {}
  return (
    <>
      {chosen !== null && <input type="hidden" name="shown" value={chosen} />}
      <SendBar
        label={chosen ? t('send_to', { count: chosen, n: n(chosen) }) : t('send_some')}
        isFlat={chosen === 0}
        summary={
          chosen === 0
            ? t('count_zero')
            : chosen
              ? t('summary_reach', { count: reached, n: n(reached) })
              : t('confirm_next')
        }
      />
    </>
  )
}
