import { useT } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Form, Submit } from '../../ui/Form.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './Admin.module.css'

/** Says what goes with it, and waits for a yes. */
export function DeleteFact() {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.done}>
      <Note heading="h2" kind="unknown" title={t('delete_fact_title')}>
        <p>{t('delete_fact_text')}</p>
        <Form>
          <input type="hidden" name="intent" value="delete" />
          <div className={styles.buttons}>
            <Submit look="danger">{t('delete')}</Submit>
            <ButtonLink to="?">{t('cancel')}</ButtonLink>
          </div>
        </Form>
      </Note>
    </div>
  )
}
