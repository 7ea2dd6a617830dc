CREATE TABLE `webhook_old_secrets` (
	`webhook_id` text NOT NULL,
	`secret` text NOT NULL,
	`signs_until` integer NOT NULL,
	PRIMARY KEY(`webhook_id`, `secret`),
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
INSERT INTO `webhook_old_secrets` SELECT `id`, `previous_secret`, `previous_secret_until` FROM `webhooks` WHERE `previous_secret` IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhooks` DROP COLUMN `previous_secret`;--> statement-breakpoint
ALTER TABLE `webhooks` DROP COLUMN `previous_secret_until`;