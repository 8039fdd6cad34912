import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'

interface Props {
  title: string
  text: string
  /** The field posted on confirmation. */
  field: { name: string; value: string }
  /** The same page without the confirmation. */
  cancelTo: string
  /** Further deletion options. */
  more?: ReactNode
}

/** Names what will be deleted for good, and asks for confirmation. */
export function RemoveSource({ title, text, field, cancelTo, more }: Props) {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.done}>
      <Note heading="h2" kind="unknown" title={title}>
        <p>{text}</p>
        <Form>
          <input type="hidden" {...field} />
          <Buttons>
            <Submit look="danger">{t('delete')}</Submit>
            <ButtonLink to={cancelTo}>{t('cancel')}</ButtonLink>
            {more}
          </Buttons>
        </Form>
      </Note>
    </div>
  )
}
