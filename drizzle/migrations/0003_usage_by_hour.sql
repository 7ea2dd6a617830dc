CREATE TABLE `usage_hours` (
	`user_id` text NOT NULL,
	`hour` integer NOT NULL,
	`bytes` integer NOT NULL,
	`low_byte_ms` integer NOT NULL,
	`high_byte_ms` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hour`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `archive_stays_by_start` ON `archive_stays` (`user_id`,`stored_at`,`size_bytes`);
--> statement-breakpoint
INSERT INTO `usage_hours`
	SELECT `user_id`, `at` / 3600000, sum(`sign` * `size_bytes`),
		sum(`sign` * (`size_bytes` & 1048575) * (`at` % 3600000)), sum(`sign` * (`size_bytes` >> 20) * (`at` % 3600000))
	FROM (
		SELECT `user_id`, `size_bytes`, `stored_at` AS `at`, 1 AS `sign` FROM `archive_stays`
		UNION ALL
		SELECT `user_id`, `size_bytes`, `removed_at`, -1 FROM `archive_stays`
	) GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `stay_counted` AFTER INSERT ON `archive_stays` BEGIN
	INSERT INTO `usage_hours`
		SELECT NEW.`user_id`, `at` / 3600000, `sign` * NEW.`size_bytes`,
			`sign` * (NEW.`size_bytes` & 1048575) * (`at` % 3600000), `sign` * (NEW.`size_bytes` >> 20) * (`at` % 3600000)
		FROM (SELECT NEW.`stored_at` AS `at`, 1 AS `sign` UNION ALL SELECT NEW.`removed_at`, -1) WHERE true
		ON CONFLICT DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`,
			`low_byte_ms` = `low_byte_ms` + excluded.`low_byte_ms`,
			`high_byte_ms` = `high_byte_ms` + excluded.`high_byte_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `stay_counted_anew` AFTER UPDATE OF `removed_at` ON `archive_stays` BEGIN
	INSERT INTO `usage_hours`
		SELECT NEW.`user_id`, `at` / 3600000, `sign` * NEW.`size_bytes`,
			`sign` * (NEW.`size_bytes` & 1048575) * (`at` % 3600000), `sign` * (NEW.`size_bytes` >> 20) * (`at` % 3600000)
		FROM (SELECT OLD.`removed_at` AS `at`, 1 AS `sign` UNION ALL SELECT NEW.`removed_at`, -1) WHERE true
		ON CONFLICT DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`,
			`low_byte_ms` = `low_byte_ms` + excluded.`low_byte_ms`,
			`high_byte_ms` = `high_byte_ms` + excluded.`high_byte_ms`;
END;
