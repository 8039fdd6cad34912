import { Form } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { addressOf, type Choice, typeKey } from './list-address.ts'
import styles from './Notifications.module.css'

/** All or unread, and by type. */
export function Filters({ choice, byType }: { choice: Choice; byType: Record<string, number> }) {
  const t = useT('notifications')
  const types = Object.keys(byType)
  return (
    <div className={styles.filters}>
      <Tabs
        label={t('filter_label')}
        tabs={[false, true].map((isUnreadOnly) => ({
          key: String(isUnreadOnly),
          label: t(isUnreadOnly ? 'filter_unread' : 'filter_all'),
          to: addressOf(choice, { isUnreadOnly }),
          isCurrent: choice.isUnreadOnly === isUnreadOnly,
        }))}
      />
      {(types.length > 1 || choice.type) && (
        <Form className={styles.kind}>
          {choice.isUnreadOnly && <input type="hidden" name="status" value="unread" />}
          <SelectField key={choice.type} label={t('type')} name="type" defaultValue={choice.type}>
            <option value="">{t('type_every')}</option>
            {types.map((type) => (
              <option key={type} value={type}>
                {t(typeKey(type))} ({byType[type]})
              </option>
            ))}
          </SelectField>
          <Button type="submit">{t('show')}</Button>
        </Form>
      )}
    </div>
  )
}
