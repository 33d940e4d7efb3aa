const SVG = 'http://www.w3.org/2000/svg'
const MODULE = 6

/** Draws a code that came as the size and the path of its dark modules. */
export function draw({ size, path }) {
  const svg = document.createElementNS(SVG, 'svg')
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return element
  }
  set(svg, { viewBox: `0 0 ${size} ${size}`, width: size * MODULE, height: size * MODULE, 'shape-rendering': 'crispEdges', 'aria-hidden': 'true' })
  svg.append(
    set(document.createElementNS(SVG, 'rect'), { width: size, height: size, fill: '#fff' }),
    set(document.createElementNS(SVG, 'path'), { d: path, fill: '#000' }),
  )
  return svg
}
