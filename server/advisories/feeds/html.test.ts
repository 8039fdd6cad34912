import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { htmlSections, itemsAfter, listItems, plainText, sanitizeDetail, textBlocks } from './html.ts'
import { readUk } from './readers/uk.ts'
import { context, fixture, harmIn } from './testing.ts'

const BASE = 'https://travel.state.gov/content/advisory.html'
const detail = (html: string) => sanitizeDetail(html, BASE)

describe('sanitizeDetail', () => {
  test.each([
    ['headings fit under an h2', '<h1>A</h1><h2>B</h2><h5>C</h5>', '<h3>A</h3>\n<h4>B</h4>\n<h4>C</h4>'],
    ['the first heading skips no level', '<h3>B</h3><h2>A</h2>', '<h3>B</h3>\n<h3>A</h3>'],
    ['bold and italic by their meaning', '<p><b>a</b> <i>b</i></p>', '<p><strong>a</strong> <em>b</em></p>'],
    ['nested paragraphs', '<p>a<p>b</p></p><p></p>', '<p>a</p>\n<p>b</p>'],
    ['a list inside a paragraph', '<p>a<ul><li>b</ul>c</p>', '<p>a</p>\n<ul><li>b</li></ul>\n<p>c</p>'],
    ['a paragraph inside a heading', '<h3><p>a</p></h3><p>b</p>', '<h3>a</h3>\n<p>b</p>'],
    ['bold around two paragraphs', '<b>a<p>b</p></b>', '<p><strong>a</strong></p>\n<p><strong>b</strong></p>'],
    ['a list directly in a list', '<ul><li>a</li><ul><li>b</li></ul></ul>', '<ul><li>a<ul><li>b</li></ul></li></ul>'],
    ['entries outside a list', '<li>a</li><li>b</li>', '<ul><li>a</li><li>b</li></ul>'],
    ['cells outside a table', '<td>a</td><td>b</td>', '<p>a</p>\n<p>b</p>'],
    [
      'a table',
      '<table><tr><th colspan="2">a</th></tr><tr><td>b<td></table>',
      '<table><tr><th colspan="2">a</th></tr><tr><td>b</td><td></td></tr></table>',
    ],
    ['loose text and divisions', 'a<div>b</div><section>c</section>', '<p>a</p>\n<p>b</p>\n<p>c</p>'],
    ['two line breaks part paragraphs', '<p>a<br>b<br><br>c</p>', '<p>a<br>b</p>\n<p>c</p>'],
    ['empty elements', '<p>&nbsp;</p><p><b></b><br></p><h3> </h3><ul><li></li></ul>x', '<p>x</p>'],
    ['spaces of all kinds', '<p>a&nbsp;&nbsp;b\u202f\r\nc</p>', '<p>a b c</p>'],
    [
      'style, class, images, scripts',
      '<p style="x" class="y" onclick="z">a<img src=x onerror=y><script>b</script></p><style>c</style>',
      '<p>a</p>',
    ],
    ['markup as text stays text', '<p>&lt;script&gt; 5 &lt; 6 &amp; 7</p>', '<p>&lt;script&gt; 5 &lt; 6 &amp; 7</p>'],
    ['direction controls', '<p>a\u202eb&#x202e;c\u2066d&#8207;</p>', '<p>abcd</p>'],
    ['NUL and other controls', '<p>a\u0000b\u0007c\u0085d</p>', '<p>abc d</p>'],
  ])('%s', (_, html, expected) => expect(detail(html)).toBe(expected))

  test.each([
    ['/x?a=1&b=2#c', 'https://travel.state.gov/x?a=1&amp;b=2#c'],
    ['https://step.state.gov/', 'https://step.state.gov/'],
    ['//example.org/a', 'https://example.org/a'],
    ['mailto:help@example.org', 'mailto:help@example.org'],
    ['tel:+632', 'tel:+632'],
  ])('the link %s is preserved as %s', (href, expected) =>
    expect(detail(`<a href="${href}">a</a>`)).toBe(`<p><a href="${expected}" rel="noopener noreferrer">a</a></p>`),
  )

  test.each([
    'javascript:alert(1)',
    ' java\tscript:x',
    'data:text/html,x',
    'vbscript:x',
    'ftp://example.org',
    'file:///x',
    '',
    'https://gov.uk@example.org/',
  ])('the link %j is dropped and its text stays', (href) => expect(detail(`<a href="${href}">a</a>`)).toBe('<p>a</p>'))

  test('a very long text is cut, a very deep one flattened', () => {
    expect(detail('<p>word </p>'.repeat(100_000)).length).toBeLessThan(200_000)
    expect(plainText(detail('x'.repeat(500_000)))).toHaveLength(60_001)
    expect(detail(`${'<ul><li>'.repeat(5_000)}x`).length).toBeLessThan(2_000)
    expect(detail(`${'<b>'.repeat(50_000)}x`).length).toBeLessThan(2_000)
  })

  test('its own output passes unchanged', () => {
    for (const item of fixture('us-state-rss-2025-10-08.xml')
      .toString()
      .match(/<!\[CDATA\[.*?\]\]>/gs)!
      .slice(0, 60)) {
      const once = detail(item.slice(9, -3))
      expect(harmIn(once)).toEqual([])
      expect(detail(once)).toBe(once)
    }
  })

  test('no input produces harmful output', () => {
    const pieces = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<b>',
        '</b>',
        '<a href="',
        'javascript:x',
        '">',
        '</a>',
        '<ul>',
        '<li>',
        '</ul>',
        '<table>',
        '<td>',
      ],
      ...[
        '<svg>',
        '<math>',
        '<style>',
        '</style>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<script',
        '>',
        '<',
        '&lt;',
        '&#x3c;img src=x onerror=y>',
      ],
      ...[
        '<h2>',
        '</h2>',
        '<div>',
        '</div>',
        '<noscript>',
        '<textarea>',
        '</textarea>',
        '<xmp>',
        'text',
        ' ',
        '"',
        "'",
        '\u0000',
        '\u202e',
      ],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (fragments) => {
        const once = detail(fragments.join(''))
        expect(harmIn(once)).toEqual([])
        expect(detail(once)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('sections', () => {
  test('a text is split at its headings of the highest level', () => {
    const html = detail('before<h2>A</h2><p>a <b>b</b></p><h3>sub</h3><ul><li>c</li></ul><h2>B &amp; C</h2><p>d</p>')
    expect(htmlSections(html)).toEqual([
      { title: null, html: '<p>before</p>' },
      { title: 'A', html: '<p>a <strong>b</strong></p>\n<h4>sub</h4>\n<ul><li>c</li></ul>' },
      { title: 'B & C', html: '<p>d</p>' },
    ])
  })

  test.each([
    ['without headings', '<p>a</p><ul><li>b</li></ul>', [{ title: null, html: '<p>a</p>\n<ul><li>b</li></ul>' }]],
    ['only lists', '<ul><li>a</li></ul>', [{ title: null, html: '<ul><li>a</li></ul>' }]],
    [
      'bold lines instead of headings',
      '<p>a</p><p><b>Crime</b><br>b <b>c</b></p><p><b>Unrest:</b></p><p>d</p><p><b>Stay away.</b></p>',
      [
        { title: null, html: '<p>a</p>' },
        { title: 'Crime', html: '<p>b <strong>c</strong></p>' },
        { title: 'Unrest', html: '<p>d</p>\n<p><strong>Stay away.</strong></p>' },
      ],
    ],
    ['bold lines below headings', '<h2>A</h2><p><b>x</b></p>', [{ title: 'A', html: '<p><strong>x</strong></p>' }]],
    ['an empty text', '', []],
    ['a heading inside an entry', '<ul><li>x<h2>A</h2>y</li></ul>', 1],
  ])('%s', (_, html, expected) => {
    const sections = htmlSections(detail(html))
    if (typeof expected === 'number') expect(sections).toHaveLength(expected)
    else expect(sections).toEqual(expected)
  })

  test('nothing of a real text is lost', async () => {
    const { items } = await readUk(fixture('uk/full-country.json'), context('https://www.gov.uk/'))
    const html = items[0]?.detailed_information ?? ''
    const sections = htmlSections(html)
    expect(sections.map(({ title }) => title)).toContain('Safety and security')
    expect(sections.map(({ title, html }) => `${title}\n${plainText(html)}`).join('\n')).toBe(plainText(html))
  })

  test('no section can run a script', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const clean = detail(`<h2>${a}</h2><p>${b}<script>alert(1)</script></p>`)
        const all = htmlSections(clean)
        expect(all.flatMap((section) => harmIn(section.html))).toEqual([])
      }),
    )
  })
})

describe('plain text', () => {
  test.each([
    ['<p>a &amp; b</p><p>c</p>', 'a & b\nc'],
    ['Côte d&rsquo;Ivoire &#8211; &eacute;t&eacute;', 'Côte d’Ivoire – été'],
    ['<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>', 'a\nb\nc d'],
    ['<p><b>Advisory summary<br></b>Terrorists may attack.</p>', 'Advisory summary\nTerrorists may attack.'],
    ['&lt;b&gt;escaped&lt;/b&gt; twice', 'escaped twice'],
    ['if a < b and c > d', 'if a < b and c > d'],
    ['a\u0000\u202eb\u00a0\u202f c', 'ab c'],
  ])('%j reads %j', (html, text) => expect(plainText(html)).toBe(text))

  test('blocks have their kind and leading bold text', () => {
    expect(textBlocks('<h2>A</h2><p><b>Crime:</b> b</p><ul><li>c</li></ul>')).toEqual([
      { kind: 'heading', text: 'A', lead: '' },
      { kind: 'paragraph', text: 'Crime: b', lead: 'Crime:' },
      { kind: 'item', text: 'c', lead: '' },
    ])
  })

  test('list entries, all or those after a leading line', () => {
    const html = '<p>You should:</p><ul><li>a</li><li>b</li></ul><p>x</p><ul><li>c</li></ul>'
    expect(listItems(html)).toEqual(['a', 'b', 'c'])
    expect(itemsAfter(textBlocks(html), /should:$/)).toEqual(['a', 'b'])
  })
})
