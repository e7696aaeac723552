// SPDX-License-Identifier: Apache-2.0
// Runs slow tasks after the first paint, each as a separate task, so that the page stays responsive. If everything is
// needed at once, as for printing, the remaining tasks run immediately.
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
		setTimeout(go); // scheduled first, so that a failing step does not stop the others
		take();
	};

	const finish = () => {
		while (steps.length > 0) take();
	};

	// The timer runs after the frame is painted. Nothing runs while the page is hidden.
	const begin = (all) => {
		steps.push(...all);
		if (steps.length === 0) tell();
		requestAnimationFrame(() => setTimeout(go));
	};

	return { begin, finish, whole };
})();
