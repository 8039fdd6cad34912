import { describe, expect, test } from 'vitest'
import { FeedError } from '../feed.ts'
import { parseXml } from './xml.ts'

test('resolves prefixes to namespaces, wherever they are declared', () => {
  const root = parseXml('<a:x xmlns:a="one"><y xmlns="two">text</y><a:y>other</a:y></a:x>')
  expect(root.textOf('y')).toBe('other')
  expect(root.textOf('y', 'two')).toBe('text')
  expect(root.first('z')).toBeUndefined()
})

test('knows the usual prefixes without a declaration', () => {
  expect(parseXml('<item><gdacs:eventid>7</gdacs:eventid></item>').textOf('eventid', 'http://www.gdacs.org')).toBe('7')
})

test('reads references, CDATA and attributes, and leaves unknown references as written', () => {
  const root = parseXml(
    '<a k="1 &amp; 2">x &lt;&#233;&#x1F30A; <![CDATA[&amp; <b>]]><!-- no --> &nbsp;&#0;&#xFFFFFF;</a>',
  )
  expect(root.text).toBe('x <é🌊 &amp; <b> &nbsp;')
  expect(root.attributes.get('k')).toBe('1 & 2')
})

describe('refuses', () => {
  test.each([
    [
      'an HTML page',
      '<!doctype html><html><head><title>Not found</title></head></html>',
      /HTML page titled "Not found"/,
    ],
    ['JSON', '{"a": 1}', /is JSON.*not XML/],
    ['nothing', '', /is empty, not XML/],
    ['a document cut short', '<rss><channel><title>x</title>', /not well-formed/],
    ['crossed elements', '<a><b></a></b>', /not well-formed/],
    ['two roots', '<a/><b/>', /2 root elements/],
    ['an external entity', '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', /document type or ent/],
    [
      'a document type behind a comment',
      '<!-- x --><!DOCTYPE a SYSTEM "http://127.0.0.1/"><a/>',
      /document type or ent/,
    ],
    ['names of object internals', '<a><__proto__>x</__proto__></a>', /not well-formed/],
    ['10,000 levels', '<a>'.repeat(10_000) + '</a>'.repeat(10_000), /not well-formed/],
    ['a million tags', `<a>${'<b/>'.repeat(1_000_000)}</a>`, /over .* tags/],
    ['a million attributes', `<a ${Array.from({ length: 1_000_000 }, (_, i) => `x${i}=""`).join(' ')}/>`, /over/],
    ['20 million characters', `<a>${' '.repeat(20_000_000)}</a>`, /over .* characters/],
  ])('%s', (_, document, reason) => {
    expect(() => parseXml(document)).toThrow(FeedError)
    expect(() => parseXml(document)).toThrow(reason)
  })

  // Expanded, it would neither terminate nor fit into memory.
  test('an entity bomb, before any of it is expanded', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
    const bomb = `<!DOCTYPE b [<!ENTITY l0 "boom">${levels.join('')}]><b>&l30;</b>`
    const before = process.memoryUsage().heapUsed
    expect(() => parseXml(bomb)).toThrow(FeedError)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })
})
