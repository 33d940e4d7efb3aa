import adapter from '@sveltejs/adapter-node'

// SvelteKit styles its own announcer of pages inline.
const csp = { directives: { 'default-src': ['self'], 'img-src': ['self', 'data:'], 'style-src': ['self', 'unsafe-inline'], 'frame-ancestors': ['none'] } }

export default { kit: { adapter: adapter({ precompress: false }), csp } }
