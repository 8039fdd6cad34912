import { Form } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Admin.module.css'

/** Confirms a fact as of today, after checking its source. */
export function ConfirmButton({ id, name }: { id: string; name: string }) {
  const t = useT('assistantAdmin')
  return (
    <Form method="post" preventScrollReset className={styles.confirm}>
      <Button type="submit" isSmall icon="check" name="confirm" value={id}>
        {t('confirm')}
        <span className="visually-hidden">: {name}</span>
      </Button>
    </Form>
  )
}
