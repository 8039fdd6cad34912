import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { migrate } from '#server/db/migrate.ts'
import { listMigrations } from '#server/db/migration-files.ts'
import { backupPlaces, openPlace } from '#server/testing/backups.ts'
import { answerHtml } from './answer-html.ts'
import { loadFaq, shippedFaq } from './faq-loader.ts'

const { emptyPlace } = backupPlaces()

/** As the version before 0025 shipped it. */
const SHIPPED = {
  slug: 'languages',
  question_en: 'In which languages can I read the portal?',
  answer_en:
    '<p>In English and in Arabic. The link to the other language stands at the top of every page, in its own script.</p>' +
    '<p>The text of an advisory stays in the language of its source: English, or German for the German Foreign Office. ' +
    'Our word for the level is always in your language. Your browser can translate a page for you, but a machine ' +
    'translation can be wrong, so check what matters with your embassy.</p>',
  question_ar: 'بأي لغات أستطيع قراءة البوابة؟',
  answer_ar:
    '<p>بالإنجليزية والعربية. ورابط اللغة الأخرى في أعلى كل صفحة، مكتوب بخطّها.</p>' +
    '<p>أما نص الإرشاد فيبقى بلغة مصدره: الإنجليزية، أو الألمانية في إرشادات وزارة الخارجية الألمانية. ' +
    'وكلمتنا الدالة على المستوى تظهر دائمًا بلغتك. ويستطيع متصفّحك أن يترجم الصفحة، لكن الترجمة الآلية قد تخطئ، ' +
    'فتحقّق من الأمور المهمة لدى سفارتك.</p>',
}
const EDITED =
  '<p>Ask <a href="/support" dir="ltr">us</a> &amp; <strong>wait</strong>.</p><ul><li>One</li><li>Two &lt; 3</li></ul><p>End.</p>'

test('an upgrade keeps what was edited, as Markdown, and brings what was not to the shipped text', async () => {
  const database = await openPlace(await emptyPlace())
  const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
  try {
    await migrate(
      database,
      (await listMigrations()).filter(({ name }) => name < '0025'),
    )
    await inside(async (db) => {
      for (const { slug, ...texts } of [
        SHIPPED,
        { ...SHIPPED, slug: 'own', question_en: 'Q', question_ar: 'س', answer_en: EDITED },
      ])
        await sql`insert into faq_entries (slug, category, position, question_en, answer_en, question_ar, answer_ar)
          values (${slug}, 'portal', 260, ${texts.question_en}, ${texts.answer_en}, ${texts.question_ar},
            ${texts.answer_ar})`.execute(db)
    })
    await migrate(database)
    const entries = async () =>
      new Map(
        (await inside((db) => db.selectFrom('faq_entries').selectAll().execute())).map(
          (row) => [row.slug, row] as const,
        ),
      )
    expect(answerHtml((await entries()).get('languages')!.answer.en)).toBe(SHIPPED.answer_en)
    expect(answerHtml((await entries()).get('languages')!.answer.ar)).toBe(SHIPPED.answer_ar)
    await inside((db) => loadFaq(db))
    const { question, answer } = (await shippedFaq()).find(({ slug }) => slug === 'languages')!
    expect((await entries()).get('languages')).toMatchObject({ question, answer, is_published: true })
    expect((await entries()).get('own')!.answer.en).toBe('Ask [us](/support) & **wait**.\n\n- One\n- Two < 3\n\nEnd.')
  } finally {
    await database.close()
  }
})
