import { type CsvColumn, csvResponse } from '#server/http/csv.ts'
import type { ListedRecipient } from '#shared/roll-calls/endpoints.ts'

const COLUMNS: readonly CsvColumn<ListedRecipient>[] = [
  { label: 'Name', value: ({ name }) => name },
  { label: 'Telephone', value: ({ phone }) => phone },
  { label: 'Country', value: ({ country_code }) => country_code },
  { label: 'Chapter', value: ({ chapter_name }) => chapter_name },
  { label: 'Answer', value: ({ answer }) => answer },
  { label: 'Answered at', value: ({ answered_at }) => answered_at },
  { label: 'Answered via', value: ({ answered_via }) => answered_via },
  { label: 'Note', value: ({ note }) => note },
  { label: 'Helper', value: ({ helper_name }) => helper_name },
  { label: 'Taken at', value: ({ taken_at }) => taken_at },
  { label: 'Escalations', value: ({ escalations }) => escalations },
  { label: 'Helped at', value: ({ helped_at }) => helped_at },
  { label: 'Help', value: ({ help_note }) => help_note },
  { label: 'Reached', value: ({ reached }) => reached },
  { label: 'Unclear since', value: ({ unclear_at }) => unclear_at },
  { label: 'Opted out at', value: ({ opted_out_at }) => opted_out_at },
  { label: 'Texts', value: ({ texts }) => texts.map(({ body, received_at }) => `${received_at} ${body}`).join('\n') },
]

/** The recipients of a roll call as CSV. */
export const recipientsCsv = (title: string, recipients: readonly ListedRecipient[]): Response =>
  csvResponse(`Roll-call ${title}`.slice(0, 100), COLUMNS, recipients)
