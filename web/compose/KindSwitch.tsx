import { mayPass } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './KindSwitch.module.css'
import { COMPOSERS, MESSAGE_KINDS, type Message, type MessageKind } from './message.ts'

interface Props {
  kind: MessageKind
  /** What this form does not show and another kind may need. */
  carried: Message
  /** The button that Enter presses: it comes before those that change the kind. */
  defaultIntent: string
}

/**
 * The kinds of messages that the user may write, as tabs. Each is a button that submits the form to the page of that
 * kind, so that text and recipients go along, also without scripts.
 */
export function KindSwitch({ kind, carried, defaultIntent }: Props) {
  const t = useT('compose')
  const role = useUser()?.role ?? null
  const kinds = MESSAGE_KINDS.filter((of) => of === kind || mayPass(COMPOSERS[of].access, role))
  return (
    <>
      <button
        type="submit"
        name="intent"
        value={defaultIntent}
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
      >
        {t('continue')}
      </button>
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="carried" value={JSON.stringify(carried)} />
      {kinds.length > 1 && (
        <fieldset className={styles.kinds}>
          <legend className="visually-hidden">{t('kinds')}</legend>
          {kinds.map((of) => (
            <button
              key={of}
              // The kind shown is a button too, so that the row reads as one group of choices.
              type={of === kind ? 'button' : 'submit'}
              {...(of === kind ? {} : { name: 'intent', value: 'switch', formAction: COMPOSERS[of].path })}
              aria-pressed={of === kind}
              className={styles.kind}
            >
              <Icon name={COMPOSERS[of].icon} />
              <span>
                <b>{t(`kind_${of}`)}</b>
                <span className={styles.hint}>{t(`kind_${of}_hint`)}</span>
              </span>
            </button>
          ))}
        </fieldset>
      )}
    </>
  )
}
