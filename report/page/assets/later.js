// SPDX-License-Identifier: Apache-2.0
// What takes long is made when the page has been seen once: step by step, each in a task of its own, so that the reader may
// scroll and click meanwhile. What needs all of it at once, as a printer does, has the rest made on the spot.
"use strict";

const later = (() => {
	const steps = [];
	let tell;
	const whole = new Promise((resolve) => { tell = resolve; });

	const take = () => {
		steps.shift()();
		if (steps.length === 0) tell();
	};

	const go = () => {
		if (steps.length === 0) return;
		setTimeout(go); // first, so that a step that fails keeps no other from being made
		take();
	};

	const finish = () => {
		while (steps.length > 0) take();
	};

	// A frame is painted after its callback, and the timer comes after that. Nothing is made of a page that is not
	// seen yet.
	const begin = (all) => {
		steps.push(...all);
		if (steps.length === 0) tell();
		requestAnimationFrame(() => setTimeout(go));
	};

	return { begin, finish, whole };
})();
