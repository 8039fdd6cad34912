import { CONNECTORS, type ConnectorId, type Pick } from '../composing/arrangement.ts'

const MARK = /(?<![\p{L}\p{N}])([SC]\d{1,3})(?![\p{L}\p{N}])/gu

/**
 * Ids in the model's output, in order and without duplicates, ignoring any prose, list or JSON around them. Ids that
 * were not offered are ignored.
 */
export function picksIn(text: string, ids: ReadonlySet<string>): Pick[] {
  const picks = new Map<string, Pick>()
  let connector: ConnectorId | null = null
  for (const [, mark = ''] of text.matchAll(MARK)) {
    if (isConnector(mark)) connector = mark
    else if (ids.has(mark)) {
      if (!picks.has(mark)) picks.set(mark, { id: mark, connector })
      connector = null
    }
  }
  return [...picks.values()]
}

const isConnector = (mark: string): mark is ConnectorId => Object.hasOwn(CONNECTORS, mark)
