import { Link, useSearchParams } from 'react-router'
import type { LocaleImportDetail } from '#shared/churches/imports.ts'
import styles from '#web/imports/Import.module.css'
import type { ActionData } from '#web/imports/imports.server.ts'
import { useImportText, useTranslateError } from '#web/imports/text.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'

interface Props {
  detail: LocaleImportDetail
  actionData: ActionData | undefined
}

/** What an import means for the public: new locales to publish, and what the file adds. */
export function LocaleSummary({ detail, actionData }: Props) {
  const { import: localeImport, unpublished } = detail
  const { counts } = localeImport
  return (
    <>
      {localeImport.status === 'committed' && unpublished > 0 && (
        <Unpublished count={unpublished} actionData={actionData} />
      )}
      {counts && counts.create + counts.services + counts.servants > 0 && <WhatIsNew counts={counts} />}
    </>
  )
}

/** How many of the new locales are public, and how many services and servants the file adds. */
function WhatIsNew({ counts }: { counts: NonNullable<LocaleImportDetail['import']['counts']> }) {
  const t = useT('importChurches')
  const language = useLanguage()
  const number = (n: number) => formatNumber(language, n)
  const { create, published, services, servants } = counts
  return (
    <ul className={styles.counts}>
      {create > published && <li>{t('count_unpublished', { n: number(create - published) })}</li>}
      {published > 0 && <li>{t('count_published', { n: number(published) })}</li>}
      {services > 0 && <li>{t('count_services', { n: number(services) })}</li>}
      {servants > 0 && <li>{t('count_servants', { n: number(servants) })}</li>}
    </ul>
  )
}

function Unpublished({ count, actionData }: { count: number; actionData: ActionData | undefined }) {
  const t = useT('importChurches')
  const language = useLanguage()
  const [params] = useSearchParams()
  const shared = useImportText()
  const isToConfirm = actionData?.intent === 'publish' && actionData.isToConfirm
  const error = useTranslateError()(actionData?.intent === 'publish' ? actionData.error : undefined)
  const n = formatNumber(language, count)
  return (
    <Note
      isLive={isToConfirm}
      title={t(isToConfirm ? 'publish_title' : 'unpublished_title', { n })}
      action={
        <Form error={error}>
          <input type="hidden" name="intent" value="publish" />
          <input type="hidden" name="count" value={count} />
          {isToConfirm && <input type="hidden" name="confirmed" value="yes" />}
          <div className={styles.buttons}>
            <Submit look={isToConfirm ? 'primary' : 'secondary'} busyLabel={t('publishing_busy')}>
              {t(isToConfirm ? 'publish_yes' : 'publish', { n })}
            </Submit>
            {isToConfirm && (
              <Link to={addressWith(params, { done: null })} replace>
                {shared('not_now')}
              </Link>
            )}
          </div>
        </Form>
      }
    >
      {t(isToConfirm ? 'publish_means' : 'unpublished_text')}
    </Note>
  )
}
