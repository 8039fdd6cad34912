import { Link, useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Submit } from '#web/ui/Form.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './BulkActions.module.css'
import { useCounted } from './useCounted.ts'

/** Actions on the selected accounts. Each asks for confirmation. */
export function BulkButtons() {
  const t = useT('users')
  return (
    <>
      <Submit look="secondary" name="kind" value="verify">
        {t('bulk_verify')}
      </Submit>
      <Submit look="secondary" name="kind" value="ask">
        {t('bulk_ask')}
      </Submit>
      <Submit look="secondary" name="kind" value="refuse">
        {t('bulk_refuse')}
      </Submit>
    </>
  )
}

/** Selects more than one page: all matches, or those the portal suggests. Links, so they work without scripts. */
export function SelectAll({ total, suggested }: { total: number; suggested: number }) {
  const t = useT('users')
  const [params] = useSearchParams()
  const counted = useCounted()
  const isSuggested = params.get('suggested') === 'yes'
  return (
    <p className={styles.selectAll}>
      {total > 0 && (
        <Link to={addressWith(params, { tab: 'new', all: 'yes', done: null })} preventScrollReset>
          {t('select_all', counted(total))}
        </Link>
      )}
      {!isSuggested && suggested > 0 && (
        <Link to={addressWith(params, { tab: 'new', all: 'yes', suggested: 'yes', done: null })} preventScrollReset>
          {t('select_suggested', counted(suggested))}
        </Link>
      )}
    </p>
  )
}

/** All matches are selected, on every page of the list. */
export function AllSelected({ total }: { total: number }) {
  const t = useT('users')
  const counted = useCounted()
  const [params] = useSearchParams()
  return (
    <div className={styles.bar}>
      <input type="hidden" name="all" value="yes" />
      <b role="status">{t('all_selected', counted(total))}</b>
      <Buttons>
        <BulkButtons />
        <ButtonLink to={addressWith(params, { all: null, suggested: null })} preventScrollReset>
          {t('select_none')}
        </ButtonLink>
      </Buttons>
    </div>
  )
}
